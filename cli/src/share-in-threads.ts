// Imported by threads: external plugins find the running core and kits there, too.
import { register } from "node:module";

register("./share-packages.js", {
  parentURL: import.meta.url,
  data: { program: import.meta.url },
});
