import type { Exposed } from "./endpoint.js";
import type { Method } from "./method.js";

/** A method with its full name and its owner. */
export interface RegisteredMethod extends Exposed {
  /** With its namespace: what callers send. */
  readonly fullName: string;
  readonly name: string;
  readonly plugin: string;
  readonly method: Method<unknown>;
  /** Whether a plugin has put another method in its place, which only this thread knows. */
  readonly isRewritten: boolean;
}
