export {
  type BlockContent,
  decodeBlock,
  encodeBlocks,
  splitBlocks,
} from "./block-files.js";
export { decodeCodes, encodeCodes, type HashedCode } from "./codes.js";
export { decodeChunk } from "./decode-chunk.js";
export { openDirectory } from "./directory-source.js";
export { encodeChunk, type UnencodedChunk } from "./encode-chunk.js";
export { decodeHeaders, encodeHeaders } from "./headers.js";
export {
  type BlocksFile,
  type CodesFile,
  encodeManifest,
  type FileEntry,
  type FileKind,
  filesOf,
  isFileName,
  MANIFEST,
  type Manifest,
  parseManifest,
  type StateFile,
} from "./manifest.js";
export { openSource } from "./open-source.js";
export { createProcessFolder } from "./process-folder.js";
export { SnapshotError } from "./snapshot-error.js";
export { type FileContent, SnapshotWriter } from "./snapshot-writer.js";
export type { ReadOptions, SnapshotSource } from "./source.js";
export type { ChunkAccount, ChunkSlot, StateChunk } from "./state-chunk.js";
export { type ChunkedState, type CreatedChunk, createChunks } from "./state-chunks.js";
export { formatPosition, parsePosition, type StatePosition } from "./state-position.js";
export { openUrl, type UrlLimits } from "./url-source.js";
