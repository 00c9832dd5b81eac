import { Abandoned } from "./abandoned.js";

/** Accepts text in chunks; a returned promise resolves when the reader has caught up. */
export interface Sink {
  write(text: string): Promise<void> | undefined;
}

/** Maximum buffered text before the writer waits. */
const MAX_WAITING_CHARACTERS = 256 * 1024;
/**
 * The first text is held back for this long, because a failure until then can still be reported as
 * an error.
 */
const HELD_MS = 1000;

/**
 * Starts to produce text, and returns it when it is complete, after 256 Ki characters, or after a
 * second.
 *
 * Rejects if producing it fails before that; a later failure truncates the text. The producer waits
 * if the reader is behind, and is aborted with `Abandoned` if the reader disconnects.
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
  await pipe.isReady();
  return restOf(pipe, made);
}

async function* restOf(pipe: Pipe, made: Promise<void>): AsyncGenerator<string, undefined> {
  try {
    for (let text = await pipe.read(); text !== undefined; text = await pipe.read()) yield text;
  } finally {
    pipe.abandon();
    await made;
  }
}

class Pipe implements Sink {
  readonly #heldUntil = performance.now() + HELD_MS;
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
    const isFull = this.#size >= MAX_WAITING_CHARACTERS;
    if (isFull || performance.now() >= this.#heldUntil) this.#wakeReader?.();
    if (!isFull) return undefined;
    return new Promise((resolve) => {
      this.#wakeWriter = resolve;
    });
  }

  /** Resolves when text can be read; rejects if producing it has failed. */
  async isReady(): Promise<void> {
    if (this.#end === undefined && this.#size < MAX_WAITING_CHARACTERS) await this.#moved();
    if (this.#end !== undefined && "error" in this.#end) throw this.#end.error;
  }

  async read(): Promise<string | undefined> {
    if (this.#texts.length === 0 && this.#end === undefined) await this.#moved();
    const text = this.#texts.join("");
    this.#texts = [];
    this.#size = 0;
    this.#wakeWriter?.();
    if (text !== "") return text;
    if (this.#end !== undefined && "error" in this.#end) throw this.#end.error;
    return undefined;
  }

  #moved(): Promise<void> {
    return new Promise((resolve) => {
      this.#wakeReader = resolve;
    });
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
