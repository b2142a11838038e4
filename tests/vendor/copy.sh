#!/bin/sh
# Copy, byte for byte, what we use out of node_modules: npm ci && npm run vendor
# The versions are in package.json; the two README.md beside the copies name them too.
set -eu
cd "$(dirname "$0")/../.."

copy() { # file in node_modules, target
    install -m 644 "node_modules/$1" "$2"
}

copy @picocss/pico/css/pico.min.css static/vendor/pico.min.css
copy @picocss/pico/LICENSE.md static/vendor/pico.LICENSE.txt
copy htmx.org/dist/htmx.min.js static/vendor/htmx.min.js
copy htmx.org/LICENSE static/vendor/htmx.LICENSE.txt
copy swagger-ui-dist/swagger-ui.css static/vendor/swagger-ui.css
copy swagger-ui-dist/swagger-ui-bundle.js static/vendor/swagger-ui-bundle.js
copy swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt static/vendor/swagger-ui-bundle.js.LICENSE.txt
copy swagger-ui-dist/LICENSE static/vendor/swagger-ui.LICENSE.txt
copy swagger-ui-dist/NOTICE static/vendor/swagger-ui.NOTICE.txt
copy axe-core/axe.min.js tests/vendor/axe.min.js
copy axe-core/LICENSE tests/vendor/axe.LICENSE.txt
