export { OpenReader, type ReaderEvents } from "./open-reader.js";
export type { ReaderView, ViewSettings } from "./reader-view.js";
