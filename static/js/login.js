// A page that refuses never says its own address, which may hold a secret: where one comes back to after
// a log-in is added here, for pages whose addresses hold none.
const OPEN = /^\/(boards|scenes|inbox|me)(\/|$)/;

for (const link of document.querySelectorAll("[data-log-in]")) {
  const parts = location.pathname.split("/");
  const page = parts.slice(0, parts.length - Number(link.dataset.logIn)).join("/");
  if (OPEN.test(page)) link.href = `/login?next=${encodeURIComponent(page)}`;
}
