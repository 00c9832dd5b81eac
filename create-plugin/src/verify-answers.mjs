import { existsSync, readdirSync } from "node:fs";

const PACKAGE = /^(@[a-z0-9-][a-z0-9-._]*\/)?[a-z0-9-][a-z0-9-._]*$/;
const NAMESPACE = /^[a-z][a-z0-9]*$/;

/** Throws if an answer is invalid: nothing is written then. */
export function verifyAnswers({ folder, name, namespace, description }) {
  if (!PACKAGE.test(name)) {
    throw new Error(`name "${name}": expected the name of a package, such as "plinth-hello"`);
  }
  if (!NAMESPACE.test(namespace)) {
    throw new Error(`namespace "${namespace}": expected a lower-case word, such as "hello"`);
  }
  if (/[\r\n]/.test(description)) throw new Error("description: expected one line");
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new Error(`folder ${folder} is not empty; choose another`);
  }
}
