"""What comes out besides sheets: pictures, sheets for Tabletop Simulator, print services, cutting machines."""
