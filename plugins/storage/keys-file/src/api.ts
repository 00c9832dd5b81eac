export { findKeyFile, openKeyFile, readKeyFile } from "./key-file.js";
