/** The manager has no such route: it is a Tessera, or an older version of ours. */
export class NotOffered extends Error {
  constructor(name: string, path: string) {
    super(`the private transaction manager ${name} does not support ${path}`);
    this.name = "NotOffered";
  }
}

/** The prefix of Tessera's text for 404 and 405, which it may send with another status. */
const MISSING = /^HTTP 40[45] /;

/** Whether a response reports that there is no such route. */
export function isNotOffered(status: number, text: string): boolean {
  return status === 404 || status === 405 || (status === 500 && MISSING.test(text));
}
