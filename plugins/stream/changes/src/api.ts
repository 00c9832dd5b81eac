export { readDescriptor, readRecord } from "./delivery/change-json.js";
export { type ChangeKind, type ChangeRecord, hashOfRecord } from "./records/change-record.js";
export { type Cursor, type CursorProblem, CursorRefused } from "./records/cursor.js";
export { BrokenChain, RecordChain, type RecordPosition } from "./records/record-chain.js";
export type { StreamDescriptor } from "./records/stored-stream.js";
export type { StreamStart } from "./records/stream-start.js";
export { type AddedBlock, type ChangeStream, changeStream, type LoadedChange } from "./service.js";
