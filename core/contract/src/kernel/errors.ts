/** The content of an error besides its code: a message for people and structured details. */
export interface ErrorDetails {
  readonly message: string;
  readonly cause?: unknown;
  readonly [detail: string]: unknown;
}

/**
 * The base class of all expected errors.
 *
 * `code` is stable and for programs, `message` is for people and may change.
 */
export class PlinthError extends Error {
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, { message, cause, ...details }: ErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    this.details = details;
  }
}

/** An error that the operator can fix: an option, a file, a port, a folder. */
export class ConfigError extends PlinthError {}

/** A plugin violated its contract, or failed during startup. */
export class PluginError extends PlinthError {
  readonly plugin: string;

  constructor(code: string, details: ErrorDetails & { readonly plugin: string }) {
    super(code, details);
    this.plugin = details.plugin;
  }
}

/** The database is damaged, full or locked. */
export class StorageError extends PlinthError {}

/** A bug: never caught, always logged with its stack. */
export class InvariantError extends PlinthError {
  constructor(message: string) {
    super("INVARIANT_BROKEN", { message });
  }
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return UNREADABLE;
  }
}

/** The value a plugin threw, or a replacement error if reading it throws again. */
export function readableError(error: unknown): unknown {
  try {
    // Capturing stacks is slow, and these are thrown often.
    if (error instanceof PlinthError) return error;
    if (error instanceof Error) String(error.message) + String(error.stack);
    else String(error);
    return error;
  } catch {
    return new Error(UNREADABLE);
  }
}

const UNREADABLE = "an error that cannot be read";
