#!/bin/sh
# Print where a Chromium is. Install Debian's if there is none and we may; else say how to get one.
set -eu

find_browser() {
    for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
        if [ -n "$name" ] && command -v "$name"; then
            return 0
        fi
    done
    return 1
}

find_browser && exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq && apt-get install -y -qq chromium >/dev/null
    find_browser && exit 0
fi

echo 'The browser tests need Chromium. Run:  sudo apt-get install chromium' >&2
echo '(or set CHROMIUM to the path of a Chromium or Chrome that you have).' >&2
exit 1
