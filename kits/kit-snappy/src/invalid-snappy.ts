/** Bytes that are not valid Snappy, or declare more than is allowed; the message says why. */
export class InvalidSnappy extends RangeError {
  constructor(reason: string) {
    super(`not valid Snappy: ${reason}`);
    this.name = "InvalidSnappy";
  }
}
