export { enode } from "./enode.js";
export { listening } from "./listening.js";
export { peerCount } from "./peer-count.js";
export { services } from "./services.js";
export { version } from "./version.js";
