/** What the home page shows of EKKO. */
export { default as Settings } from './EkkoSettings.svelte';
export { default as Form } from './EkkoNew.svelte';
