export { disk } from "./disk.js";
export { explainTransaction } from "./explain-transaction.js";
export { status } from "./status.js";
