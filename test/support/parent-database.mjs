// A database in the parent process, which runs the statements of this one; `ServedProcess` is the other side.

const waiting = new Map();
let calls = 0;
let isInTransaction = false;

process.on("message", ({ id, rows, error }) => {
  const call = waiting.get(id);
  if (call === undefined) return;
  waiting.delete(id);
  if (error === undefined) call.resolve(rows);
  else call.reject(new Error(error));
});

/** Opens the database of the parent for a relay. */
export async function openParentDatabase() {
  return {
    query: (...args) => call("query", args),
    copy: (...args) => call("copy", args),
    async execute(sql) {
      if (sql === "BEGIN") isInTransaction = true;
      await call("execute", [sql]);
      if (sql === "COMMIT" || sql === "ROLLBACK") isInTransaction = false;
    },
    close: async () => {},
  };
}

/** The hash of the last block in the tables; `undefined` if it is not known now. */
export async function findRelayedHash() {
  // The parent has one connection, which sees what is not committed yet.
  if (isInTransaction) return undefined;
  const sql = "SELECT encode(block_hash, 'hex') FROM plinth.cursor WHERE stream_id IS NOT NULL";
  const rows = await call("query", [sql]).catch(() => []);
  const [[hash] = []] = rows;
  return typeof hash === "string" ? `0x${hash}` : undefined;
}

/** Runs a statement in the parent process. */
function call(method, args) {
  calls += 1;
  const id = calls;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    process.send({ id, method, args });
  });
}
