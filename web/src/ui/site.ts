/** The page as a folder on any host, without a server of its own (`ekoes site`): what a server would say stands in files beside it. */
export const isSite = typeof document !== 'undefined' && document.documentElement.dataset['site'] !== undefined;
