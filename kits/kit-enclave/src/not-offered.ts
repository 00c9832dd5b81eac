/** A manager has no such route: it is a Tessera, or an older version of ours. */
export class NotOffered extends Error {
  constructor(name: string, path: string) {
    super(`the private transaction manager ${name} does not offer ${path}`);
    this.name = "NotOffered";
  }
}

/** How Tessera begins the text of 404 and 405, which it may give with another status. */
const MISSING = /^HTTP 40[45] /;

/** Whether an answer says that there is no such route. */
export function isNotOffered(status: number, text: string): boolean {
  return status === 404 || status === 405 || (status === 500 && MISSING.test(text));
}
