/// <reference types="vite/client" />

// This path leaves the styles out; the package's types only cover its main entry.
declare module "sweetalert2/dist/sweetalert2.esm.js" {
  export { default } from "sweetalert2";
}
