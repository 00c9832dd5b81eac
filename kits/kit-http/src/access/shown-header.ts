const MAX_LENGTH = 100;

/** A header of a caller as repeated in an error: on one line and of limited length. */
export function shownHeader(value: string | undefined): string {
  return (value ?? "(none)").slice(0, MAX_LENGTH).replace(/[^\x21-\x7e]/g, "?");
}
