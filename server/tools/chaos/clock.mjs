// @ts-check
/*
 * Loaded into an instance before the product: its wall clock can be set wrong, by a message from the tool. What measures
 * durations by `performance.now()`, and timers, are not affected, as on a machine whose clock is set.
 */
const now = Date.now;
let offsetMs = 0;
Date.now = () => now() + offsetMs;
globalThis.Date = new Proxy(Date, {
  construct: (real, values, target) =>
    Reflect.construct(real, values.length === 0 ? [Date.now()] : values, target),
});

process.on("message", (/** @type {{ clockMs: number }} */ { clockMs }) => {
  offsetMs = clockMs;
});
// Waiting for messages must not keep the process alive.
process.channel?.unref();
