/** What the home page shows of EKKO. */
export { default as Settings } from '../ekko/EkkoSettings.svelte';
export { default as Form } from './EkkoNew.svelte';
