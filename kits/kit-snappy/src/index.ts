export { decodeSnappy, decodeSnappyInTurns, readSnappyLength } from "./decode-snappy.js";
export { encodeSnappy } from "./encode-snappy.js";
export { InvalidSnappy } from "./invalid-snappy.js";
