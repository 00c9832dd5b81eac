import type { Exposed } from "./endpoint.js";
import type { Method } from "./method.js";

/** A method with its full name and its owner. */
export interface RegisteredMethod extends Exposed {
  /** With its namespace: as callers send it. */
  readonly fullName: string;
  readonly name: string;
  readonly plugin: string;
  readonly method: Method<unknown>;
  /** Whether a plugin has replaced it, which only this thread knows. */
  readonly isRewritten: boolean;
}
