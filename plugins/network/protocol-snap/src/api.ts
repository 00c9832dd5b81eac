export type {
  AccountQuery,
  AccountResponse,
  CodeQuery,
  StorageQuery,
  StorageResponse,
} from "./client/codecs.js";
export { SnapClient, type SnapClientSettings } from "./client/snap-client.js";
export { HASH_BYTES, LENGTH } from "./messages.js";
