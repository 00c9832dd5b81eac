export { CONTENT_TYPE, formatMetrics } from "./exposition.js";
