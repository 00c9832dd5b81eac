/**
 * Bytes that are not valid Snappy, or declare more than allowed; the message contains the reason.
 */
export class InvalidSnappy extends RangeError {
  constructor(reason: string) {
    super(`not valid Snappy: ${reason}`);
    this.name = "InvalidSnappy";
  }
}
