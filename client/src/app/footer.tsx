import { Mail, MapPin, Phone } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "../lib/paths.ts";
import { site } from "../lib/site.ts";
import { Logo } from "../ui/logo.tsx";
import { SocialIcon } from "./social-icon.tsx";

const LINKS = [
  { to: paths.home, text: "Home" },
  { to: paths.browse, text: "Browse Tasks" },
  { to: paths.dashboard, text: "Dashboard" },
  { to: paths.about, text: "About us" },
  { to: paths.contact, text: "Contact" },
  { to: paths.terms, text: "Terms & Conditions" },
  { to: paths.privacy, text: "Privacy Policy" },
];

/** SPEC section 2, Footer. Texts and links come from lib/site.ts. */
export function Footer() {
  const { address, email, phone } = site.contact;
  return (
    <footer className="mt-16 border-t border-base-300 bg-base-100">
      <div className="page grid grid-cols-1 gap-10 py-12 wrap-anywhere sm:grid-cols-2 lg:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)_minmax(0,1.2fr)]">
        <div className="space-y-4 sm:col-span-2 lg:col-span-1">
          <Logo />
          <p className="quiet max-w-sm">{site.description}</p>
          <ul className="flex flex-wrap gap-2">
            {site.social.map(({ name, url }) => (
              <li key={name}>
                <a
                  href={url}
                  target="_blank"
                  rel="noreferrer"
                  className="btn btn-square btn-ghost"
                  aria-label={`${site.brand} on ${name}`}
                >
                  <SocialIcon name={name} />
                </a>
              </li>
            ))}
          </ul>
        </div>
        <nav aria-labelledby="quick-links">
          <h2 id="quick-links" className="mb-3 text-base font-semibold">
            Quick links
          </h2>
          <ul className="grid grid-cols-1 gap-1">
            {LINKS.map(({ to, text }) => (
              <li key={to}>
                <Link to={to} className="quiet inline-block py-1 hover:text-primary hover:underline">
                  {text}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <section aria-labelledby="reach-us">
          <h2 id="reach-us" className="mb-3 text-base font-semibold">
            Reach us
          </h2>
          <address className="quiet grid grid-cols-1 gap-3 not-italic">
            <span className="flex gap-3">
              <MapPin aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
              <span>
                {address.map((part) => (
                  <span key={part} className="block">
                    {part}
                  </span>
                ))}
              </span>
            </span>
            <a
              href={`mailto:${email}`}
              className="flex items-center gap-3 py-0.5 hover:text-primary hover:underline"
            >
              <Mail aria-hidden="true" className="size-5 shrink-0" />
              {email}
            </a>
            <a
              href={`tel:${phone.replaceAll(" ", "")}`}
              className="flex items-center gap-3 py-0.5 hover:text-primary hover:underline"
            >
              <Phone aria-hidden="true" className="size-5 shrink-0" />
              {phone}
            </a>
          </address>
        </section>
      </div>
      <p className="quiet border-t border-base-300 py-5 text-center text-sm">
        © {new Date().getFullYear()} {site.brand}. {site.tagline}
      </p>
    </footer>
  );
}
