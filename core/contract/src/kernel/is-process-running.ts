/** Whether a process with that id runs on this machine, also one of another user. */
export function isProcessRunning(id: number): boolean {
  // 0 and negative numbers are groups of processes.
  if (!Number.isSafeInteger(id) || id <= 0) return false;
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
