export { besuPendingTransactions } from "./besu-pending-transactions.js";
export { besuStatistics } from "./besu-statistics.js";
export { besuTransactions } from "./besu-transactions.js";
export { content } from "./content.js";
export { contentFrom } from "./content-from.js";
export { inspect } from "./inspect.js";
export { status } from "./status.js";
