/** A point where one side waits and the other opens, for tests of what happens in between. */
export interface Gate {
  /** Resolves when the gate is open. */
  readonly opened: Promise<void>;
  open(): void;
}

/** A gate that is closed until `open` is called. */
export function createGate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
