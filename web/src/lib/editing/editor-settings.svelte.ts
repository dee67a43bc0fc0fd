// The person's settings of the editor, on this device: remembered where the browser remembers anything.

const key = "plinth:editor";

function remembered(): { wraps: boolean } {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
    return { wraps: typeof stored !== "object" || stored === null || Reflect.get(stored, "wraps") !== false };
  } catch {
    // On the server, where storage is forbidden, or where something else lies there.
    return { wraps: true };
  }
}

class EditorSettings {
  #wraps = $state(remembered().wraps);

  /** Long lines are broken at the edge. */
  get wraps(): boolean {
    return this.#wraps;
  }

  set wraps(isOn: boolean) {
    this.#wraps = isOn;
    try {
      localStorage.setItem(key, JSON.stringify({ wraps: isOn }));
    } catch (error) {
      console.info(String(error));
    }
  }
}

export const editorSettings = new EditorSettings();
