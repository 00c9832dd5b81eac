// Does tasks that the parent process sends; `ServedProcess` is the other side.

/** Reports that this process is loaded, and then the result of each task, by its name. */
export function serveTasks(tasks) {
  process.on("message", async ({ task, input }) => {
    if (task === undefined) return;
    try {
      process.send({ task, output: (await tasks[task](input)) ?? {} });
    } catch (error) {
      process.send({ task, failure: String(error.stack) });
    }
  });
  process.on("disconnect", () => process.exit(1));
  process.send({ task: "load", output: {} });
}
