/** Prints figures of a long test beside its result. */
export function report(name: string, figures: object): void {
  process.stdout.write(`${name}: ${JSON.stringify(figures)}\n`);
}
