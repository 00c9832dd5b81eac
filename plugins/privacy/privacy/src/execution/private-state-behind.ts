/** Private results are not available yet; the message states the reason. */
export class PrivateStateBehind extends Error {
  constructor(message: string) {
    super(message);
    this.name = "PrivateStateBehind";
  }
}
