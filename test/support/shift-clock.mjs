// Loaded before a program with `node --import`: sets its clock some seconds ahead of the machine's.
const ahead = Number(process.env.SHIFT_CLOCK_MS ?? 0);
const now = Date.now;
Date.now = () => now() + ahead;
