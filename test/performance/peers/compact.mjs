import { ClassicLevel } from "classic-level";

/** Rewrites a database without what was deleted or replaced. */
export async function compact(folder) {
  const options = { keyEncoding: "buffer", valueEncoding: "buffer" };
  const level = new ClassicLevel(folder, options);
  await level.compactRange(Buffer.alloc(0), Buffer.alloc(64, 0xff));
  await level.close();
}
