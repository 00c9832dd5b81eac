export { defineBftExtraData } from "./extra-data.js";
