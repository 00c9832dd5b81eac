import { type DocumentNode, visit } from "graphql/index.js";
import { Refusal } from "./refusal.js";

/** How the compiler marks values that JSON does not have; text behind the mark would become code. */
const MARK = "__MAGIC_";

/**
 * Refuses what the compiler of documents would turn into something else.
 *
 * It writes text of a document into code, and takes some of it for marks of its own. It also assigns
 * answers to properties of plain objects, of which one name is not like the others.
 */
export function verifyCompilable(document: DocumentNode): void {
  visit(document, {
    StringValue({ value }) {
      if (value.includes(MARK)) throw refuse(`text with ${MARK}`);
    },
    Name({ value }) {
      if (value === "__proto__") throw refuse(`the name ${value}`);
    },
  });
}

function refuse(what: string): Refusal {
  return Refusal.of(`a document cannot have ${what}`, "ExecutionAborted");
}
