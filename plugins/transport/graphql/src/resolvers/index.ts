export { Mutation } from "./mutation.js";
export { Account, Block, Log, Pending, Transaction } from "./objects.js";
export { Query } from "./query.js";
