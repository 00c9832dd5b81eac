/** Nobody wants the rest. */
export class Abandoned extends Error {
  constructor() {
    super("the caller has left");
    this.name = "Abandoned";
  }
}
