/** A wait of unknown length, said to screen readers too. */
export function Spinner({ label = "Loading" }: { label?: string }) {
  return (
    <div role="status" className="appear-late flex justify-center py-16">
      <span className="loading loading-spinner loading-lg text-primary" aria-hidden="true" />
      <span className="sr-only">{label}…</span>
    </div>
  );
}
