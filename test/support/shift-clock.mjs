// Loaded before a program with `node --import`: it lives some seconds ahead of the machine.
const ahead = Number(process.env.SHIFT_CLOCK_MS ?? 0);
const now = Date.now;
Date.now = () => now() + ahead;
