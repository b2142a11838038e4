// A preview in a frame of its own follows what is written: its button is pressed after a short rest.
const REST = 500;

for (const button of document.querySelectorAll("button[data-live]")) {
  const frame = document.querySelector(`iframe[name="${CSS.escape(button.formTarget)}"]`);
  const fields = [...button.form.elements].filter((control) => control.name.startsWith(button.dataset.live));
  let waiting = 0;
  const send = () => button.form.requestSubmit(button);
  for (const field of fields) {
    field.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(send, REST);
    });
  }
  // What stands there already is shown as soon as it is looked at.
  const shown = new IntersectionObserver((seen) => {
    if (!seen.some((one) => one.isIntersecting)) return;
    shown.disconnect();
    send();
  });
  if (frame) shown.observe(frame);
}
