/** Private results are not there yet; the message says what is waited for. */
export class PrivateStateBehind extends Error {
  constructor(message: string) {
    super(message);
    this.name = "PrivateStateBehind";
  }
}
