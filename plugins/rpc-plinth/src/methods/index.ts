export { explainTransaction } from "./explain-transaction.js";
