import { Abandoned } from "./abandoned.js";

/** Takes text piece by piece; a returned promise resolves when the reader has caught up. */
export interface Sink {
  write(text: string): Promise<void> | undefined;
}

/** So much waits for the reader before the writer does. */
const MAX_WAITING_CHARACTERS = 256 * 1024;

/**
 * Begins to make text, and answers when the first of it is there; rejects when none ever comes.
 *
 * The maker waits when the reader is behind, and is broken off with `Abandoned` when the reader leaves.
 */
export async function readWhileMade(
  make: (sink: Sink) => Promise<void>,
  signal: AbortSignal,
): Promise<AsyncGenerator<string, undefined>> {
  const pipe = new Pipe();
  const leave = () => pipe.abandon();
  signal.addEventListener("abort", leave, { once: true });
  const made = make(pipe)
    .then(
      () => pipe.end(),
      (error) => pipe.end({ error }),
    )
    .finally(() => signal.removeEventListener("abort", leave));
  const first = await pipe.read();
  return restOf(pipe, first, made);
}

async function* restOf(
  pipe: Pipe,
  first: string | undefined,
  made: Promise<void>,
): AsyncGenerator<string, undefined> {
  try {
    for (let text = first; text !== undefined; text = await pipe.read()) yield text;
  } finally {
    pipe.abandon();
    await made;
  }
}

class Pipe implements Sink {
  #texts: string[] = [];
  #size = 0;
  #end: { readonly error?: unknown } | undefined;
  #isAbandoned = false;
  #wakeReader: (() => void) | undefined;
  #wakeWriter: (() => void) | undefined;

  write(text: string): Promise<void> | undefined {
    if (this.#isAbandoned) throw new Abandoned();
    this.#texts.push(text);
    this.#size += text.length;
    this.#wakeReader?.();
    if (this.#size < MAX_WAITING_CHARACTERS) return undefined;
    return new Promise((resolve) => {
      this.#wakeWriter = resolve;
    });
  }

  async read(): Promise<string | undefined> {
    if (this.#texts.length === 0 && this.#end === undefined) {
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    }
    const text = this.#texts.join("");
    this.#texts = [];
    this.#size = 0;
    this.#wakeWriter?.();
    if (text !== "") return text;
    if (this.#end !== undefined && "error" in this.#end) throw this.#end.error;
    return undefined;
  }

  end(end: { readonly error?: unknown } = {}): void {
    this.#end = end;
    this.#wakeReader?.();
  }

  abandon(): void {
    this.#isAbandoned = true;
    this.#wakeWriter?.();
  }
}
