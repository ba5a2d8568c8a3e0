/*
 * Loaded into an instance before the product: its wall clock can be set wrong, by a message from the tool. What measures
 * durations by `performance.now()`, and timers, are not affected, as on a machine whose clock is set.
 */
const Real = Date;
let offsetMs = 0;

globalThis.Date = class extends Real {
  constructor(...values) {
    super(...(values.length === 0 ? [Real.now() + offsetMs] : values));
  }
  static now() {
    return Real.now() + offsetMs;
  }
};

process.on("message", ({ clockMs }) => {
  offsetMs = clockMs;
});
// Waiting for messages must not keep the process alive.
process.channel?.unref();
