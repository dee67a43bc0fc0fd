// Forms that apply a choice as it is made. Without script they have a button; a choice that was made before the script ran is
// applied when it runs. Their fields say what is in force by `selected` and `defaultChecked`, and the form has
// `autocomplete="off"`, so that no browser restores an earlier choice.

interface Manner {
  /**
   * Whether a choice by keys is applied with Enter or when the focus leaves the list: an arrow key passes every option on its
   * way, and each would be written.
   */
  readonly waitsForKeys?: boolean;
}

const forms = new WeakSet<HTMLFormElement>();

/** For `{@attach}`. @param inForce what the page says is chosen: when it changes, the fields show it. */
export const applyChoices = (inForce: unknown, manner: Manner = {}) => {
  void inForce;
  return (form: HTMLFormElement): (() => void) => {
    if (forms.has(form)) form.reset();
    else {
      forms.add(form);
      setTimeout(() => applyEarlierChoices(form));
    }
    return sendOnChange(form, manner);
  };
};

/** Sends the form with each change. Returns how to stop. */
export function sendOnChange(form: HTMLFormElement, { waitsForKeys = false }: Manner = {}): () => void {
  let isByKeys = false;
  let isWaiting = false;
  const send = () => {
    isWaiting = false;
    if (form.checkValidity()) form.requestSubmit();
  };
  const listeners: Partial<Record<keyof HTMLElementEventMap, (event: Event) => void>> = {
    change({ target }) {
      if (target instanceof HTMLInputElement && target.type === "search") return;
      if (waitsForKeys && isByKeys) isWaiting = true;
      else send();
    },
    pointerdown: () => (isByKeys = false),
    keydown(event) {
      isByKeys = event instanceof KeyboardEvent && event.key !== "Enter";
      if (isByKeys || !isWaiting) return;
      event.preventDefault();
      send();
    },
    focusout: () => isWaiting && send(),
  };
  const all = Object.entries(listeners);
  for (const [name, listener] of all) form.addEventListener(name, listener);
  return () => {
    for (const [name, listener] of all) form.removeEventListener(name, listener);
  };
}

/** Tells the listeners of a form of what was chosen before they were there. */
export function applyEarlierChoices(form: HTMLFormElement): void {
  for (const control of form.elements)
    if (isChosenAnew(control)) control.dispatchEvent(new Event("change", { bubbles: true }));
}

function isChosenAnew(control: Element): boolean {
  if (control instanceof HTMLInputElement)
    return control.type === "radio" ? control.checked && !control.defaultChecked : false;
  if (!(control instanceof HTMLSelectElement)) return false;
  const inForce = Math.max(
    0,
    [...control.options].findIndex(({ defaultSelected }) => defaultSelected),
  );
  return control.selectedIndex !== inForce;
}
