export { ibftExtraData } from "./extra-data.js";
