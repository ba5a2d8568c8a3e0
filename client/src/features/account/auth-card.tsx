import type { ReactNode } from "react";

/** The frame of login, register and password reset. */
export function AuthCard({
  title,
  intro,
  children,
}: {
  title: string;
  intro?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="page flex justify-center py-10 sm:py-16">
      <section className="surface w-full max-w-md space-y-6 p-6 shadow-card sm:p-8">
        <header className="space-y-2">
          <h1 className="text-3xl font-semibold">{title}</h1>
          {intro && <p className="quiet">{intro}</p>}
        </header>
        {children}
      </section>
    </div>
  );
}
