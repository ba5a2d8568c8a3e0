/// <reference types="vite/client" />

// Its own types name the same module without the path that leaves its styles out.
declare module "sweetalert2/dist/sweetalert2.esm.js" {
  export { default } from "sweetalert2";
}
