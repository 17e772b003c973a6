import { useState, type ComponentType } from 'react';
import { useLocation } from 'wouter';
import { showToast } from '../components/toast.js';
import { ChunkLoadError } from '../components/chunk-load-error.js';
import { useGlobalKeys } from './global-keys.js';
import { useSections } from './sections.js';

interface QuickAccessProps {
  onClose: () => void;
  openKeys: () => void;
}

/** The command palette and the list of keys, with the functions that open them. Their code is loaded on first use. */
export function useQuickAccess(): { openPalette: () => void; openKeys: () => void; dialog: JSX.Element | null } {
  const [, navigate] = useLocation();
  // In an object, because React calls a function that it gets as a new state.
  const [open, setOpen] = useState<{ component: ComponentType<QuickAccessProps> } | null>(null);
  const show = async (load: () => Promise<{ default: ComponentType<QuickAccessProps> }>): Promise<void> => {
    try {
      setOpen({ component: (await load()).default });
    } catch (error) {
      showToast(new ChunkLoadError(error).message);
    }
  };
  const openPalette = (): void => void show(() => import('./palette/command-palette.js'));
  const openKeys = (): void => void show(() => import('./keys-sheet.js'));
  useGlobalKeys({ openPalette, openKeys, navigate, sections: useSections() });
  const Open = open?.component;
  return {
    openPalette,
    openKeys,
    dialog: Open === undefined ? null : <Open onClose={() => setOpen(null)} openKeys={openKeys} />,
  };
}
