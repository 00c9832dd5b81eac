import type { Head, LiveHeads } from "./live.js";

/** What a view has to work with. */
export interface ViewContext {
  /** The parts of the path after the name of the view. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  /** Aborts when the reader leaves the view. */
  readonly signal: AbortSignal;
  readonly live: LiveHeads;
  /** Calls back for each new head while the view is shown. */
  onHead(callback: (head: Head) => void | Promise<void>): void;
  /** Shows the view again. */
  reload(): void;
}

/** A view: its title, and its content, which may still be loading. */
export interface View {
  readonly title: string;
  readonly content: readonly Node[];
}
